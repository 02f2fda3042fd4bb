// As the tile, with the inner loop unrolled by four and the weights of each step loaded as one float4. WEIGHTS:
// where the filter lies; FLOAT4_POINTER: it is declared as float4, so that no address has to be made of floats.
#define TILE_W (GX + FW4 - 1)
#define TILE_H (GY + FH - 1)

#ifdef FLOAT4_POINTER
#define POINTER WEIGHTS const float4
#define LOAD(j, i) weights[((j) * FW4 + (i)) / 4]
#else
#define POINTER WEIGHTS const float
#define LOAD(j, i) vload4(0, weights + (j) * FW4 + (i))
#endif

__kernel __attribute__((reqd_work_group_size(GX, GY, 1)))
void convolve(__global const float *in, POINTER *weights, __global float *out) {
    __local float tile[TILE_H * TILE_W];
    const int lx = get_local_id(0), ly = get_local_id(1);
    __global const float *corner = in + (get_group_id(1) * GY) * PITCH + get_group_id(0) * GX;
    for (int y = ly; y < TILE_H; y += GY)
        for (int x = lx; x < TILE_W; x += GX)
            tile[y * TILE_W + x] = corner[y * PITCH + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
    for (int j = 0; j < FH; ++j)
        for (int i = 0; i < FW4; i += 4) {
            const float4 w = LOAD(j, i);
            __local const float *t = tile + (ly + j) * TILE_W + lx + i;
            sum += w.x * t[0];
            sum += w.y * t[1];
            sum += w.z * t[2];
            sum += w.w * t[3];
        }
    out[get_global_id(1) * OUT_PITCH + get_global_id(0)] = sum;
}
