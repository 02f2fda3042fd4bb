// For processors: RX vectors of 16 results across and RY rows down in registers, no local memory. A row of the
// source is loaded at every offset and serves all results that it reaches; the filter is in the text.
__constant float weights[FH * FW4] = {WEIGHT_LIST};

// Row y of the source, counted from the work-item's first, goes into the sums.
static inline __attribute__((always_inline)) void add_line(float16 sum[RY][RX], __global const float *from, int y) {
#pragma unroll
    for (int i = 0; i < FW; ++i) {
        float16 v[RX];
#pragma unroll
        for (int k = 0; k < RX; ++k)
            v[k] = vload16(k, from + i);
#pragma unroll
        for (int r = 0; r < RY; ++r) {
            const int j = y - r;
            if (j < 0 || j >= FH) continue;
#pragma unroll
            for (int k = 0; k < RX; ++k)
                sum[r][k] += weights[j * FW4 + i] * v[k];
        }
    }
}
#define ADD_LINE(y) add_line(sum, from + (y) * PITCH, y);

__kernel void convolve(__global const float *restrict in, __global float *restrict out) {
    const int x = get_global_id(0) * 16 * RX, y = get_global_id(1) * RY;
    __global const float *from = in + y * PITCH + x;
    float16 sum[RY][RX];
#pragma unroll
    for (int r = 0; r < RY; ++r)
#pragma unroll
        for (int k = 0; k < RX; ++k)
            sum[r][k] = 0.0f;
    EACH_LINE(ADD_LINE)
#pragma unroll
    for (int r = 0; r < RY; ++r)
#pragma unroll
        for (int k = 0; k < RX; ++k)
            vstore16(sum[r][k], k, out + (y + r) * OUT_PITCH + x);
}
