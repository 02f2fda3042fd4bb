// A work-item makes RX x RY results (RX a multiple of 4): each row of the tile is loaded once, in words of four
// floats, and serves all results that it reaches. The filter is in the text.
#define TILE_W (GX * RX + FW4) // a multiple of 4
#define TILE_H (GY * RY + FH - 1)
#define ROW (RX + FW4)

__constant float weights[FH * FW4] = {WEIGHT_LIST};

// Row y of the source, counted from the work-item's first, goes into the sums.
static inline __attribute__((always_inline)) void add_line(float sum[RY][RX], __local const float4 *from, int y) {
    float row[ROW];
#pragma unroll
    for (int i = 0; i < ROW / 4; ++i) {
        const float4 four = from[i];
        row[4 * i] = four.x;
        row[4 * i + 1] = four.y;
        row[4 * i + 2] = four.z;
        row[4 * i + 3] = four.w;
    }
#pragma unroll
    for (int r = 0; r < RY; ++r) {
        const int j = y - r;
        if (j < 0 || j >= FH) continue;
#pragma unroll
        for (int i = 0; i < FW; ++i)
#pragma unroll
            for (int k = 0; k < RX; ++k)
                sum[r][k] = fma(weights[j * FW4 + i], row[k + i], sum[r][k]);
    }
}
#define ADD_LINE(y) add_line(sum, from + (y) * (TILE_W / 4), y);

__kernel __attribute__((reqd_work_group_size(GX, GY, 1)))
void convolve(__global const float *in, __global float *out) {
    __local float4 tile[TILE_H * TILE_W / 4];
    const int lx = get_local_id(0), ly = get_local_id(1);
    __global const float *corner = in + (get_group_id(1) * GY * RY) * PITCH + get_group_id(0) * GX * RX;
    for (int n = ly * GX + lx; n < TILE_H * (TILE_W / 4); n += GX * GY) {
        const int y = n / (TILE_W / 4), x = n % (TILE_W / 4);
        tile[n] = ((__global const float4 *)(corner + y * PITCH))[x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    float sum[RY][RX];
#pragma unroll
    for (int r = 0; r < RY; ++r)
#pragma unroll
        for (int k = 0; k < RX; ++k)
            sum[r][k] = 0.0f;
    __local const float4 *from = tile + (ly * RY * TILE_W + lx * RX) / 4;
    EACH_LINE(ADD_LINE)
    __global float *to = out + (get_global_id(1) * RY) * OUT_PITCH + get_global_id(0) * RX;
#pragma unroll
    for (int r = 0; r < RY; ++r)
#pragma unroll
        for (int k = 0; k < RX; k += 4)
            *(__global float4 *)(to + r * OUT_PITCH + k) =
                (float4)(sum[r][k], sum[r][k + 1], sum[r][k + 2], sum[r][k + 3]);
}
