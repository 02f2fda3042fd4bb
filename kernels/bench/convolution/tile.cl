// The group first copies what it needs of the source into local memory. WEIGHTS: where the filter lies.
#define TILE_W (GX + FW4 - 1)
#define TILE_H (GY + FH - 1)

__kernel __attribute__((reqd_work_group_size(GX, GY, 1)))
void convolve(__global const float *in, WEIGHTS const float *weights, __global float *out) {
    __local float tile[TILE_H * TILE_W];
    const int lx = get_local_id(0), ly = get_local_id(1);
    __global const float *corner = in + (get_group_id(1) * GY) * PITCH + get_group_id(0) * GX;
    for (int y = ly; y < TILE_H; y += GY)
        for (int x = lx; x < TILE_W; x += GX)
            tile[y * TILE_W + x] = corner[y * PITCH + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
    for (int j = 0; j < FH; ++j)
        for (int i = 0; i < FW; ++i)
            sum += weights[j * FW4 + i] * tile[(ly + j) * TILE_W + lx + i];
    out[get_global_id(1) * OUT_PITCH + get_global_id(0)] = sum;
}
