// As the register block, but small enough for the instruction cache: the loop over the filter's rows stays a loop.
// RY rows of the source stand in registers; a step loads one row of weights, multiplies all of them with it and
// moves on by a row. Unrolled RY times, the window moves by renaming alone. FH is a multiple of RY.
#define TILE_W (GX * RX + FW4) // a multiple of 4
#define TILE_H (GY * RY + FH)  // one row more than is used
#define ROW (RX + FW4)

static inline __attribute__((always_inline)) void load_row(float to[ROW], __local const float4 *from) {
#pragma unroll
    for (int i = 0; i < ROW / 4; ++i) {
        const float4 four = from[i];
        to[4 * i] = four.x;
        to[4 * i + 1] = four.y;
        to[4 * i + 2] = four.z;
        to[4 * i + 3] = four.w;
    }
}

__kernel __attribute__((reqd_work_group_size(GX, GY, 1)))
void convolve(__global const float *in, __constant float4 *weights, __global float *out) {
    __local float4 tile[TILE_H * TILE_W / 4];
    const int lx = get_local_id(0), ly = get_local_id(1);
    __global const float *corner = in + (get_group_id(1) * GY * RY) * PITCH + get_group_id(0) * GX * RX;
    for (int n = ly * GX + lx; n < TILE_H * (TILE_W / 4); n += GX * GY) {
        const int y = n / (TILE_W / 4), x = n % (TILE_W / 4);
        tile[n] = ((__global const float4 *)(corner + y * PITCH))[x];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    float sum[RY][RX], row[RY][ROW];
    __local const float4 *from = tile + (ly * RY * TILE_W + lx * RX) / 4;
#pragma unroll
    for (int r = 0; r < RY; ++r) {
#pragma unroll
        for (int k = 0; k < RX; ++k)
            sum[r][k] = 0.0f;
        load_row(row[r], from + r * (TILE_W / 4));
    }
#pragma unroll 1
    for (int j = 0; j < FH; j += RY) {
#pragma unroll
        for (int step = 0; step < RY; ++step) {
            float w[FW4];
#pragma unroll
            for (int i = 0; i < FW4 / 4; ++i) {
                const float4 four = weights[(j + step) * (FW4 / 4) + i];
                w[4 * i] = four.x;
                w[4 * i + 1] = four.y;
                w[4 * i + 2] = four.z;
                w[4 * i + 3] = four.w;
            }
            // Row j + step + r of the source stands in register row (step + r) % RY.
#pragma unroll
            for (int r = 0; r < RY; ++r)
#pragma unroll
                for (int i = 0; i < FW; ++i)
#pragma unroll
                    for (int k = 0; k < RX; ++k)
                        sum[r][k] = fma(w[i], row[(step + r) % RY][k + i], sum[r][k]);
            load_row(row[step], from + (j + step + RY) * (TILE_W / 4));
        }
    }
    __global float *to = out + (get_global_id(1) * RY) * OUT_PITCH + get_global_id(0) * RX;
#pragma unroll
    for (int r = 0; r < RY; ++r)
#pragma unroll
        for (int k = 0; k < RX; k += 4)
            *(__global float4 *)(to + r * OUT_PITCH + k) =
                (float4)(sum[r][k], sum[r][k + 1], sum[r][k + 2], sum[r][k + 3]);
}
