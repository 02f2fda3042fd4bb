// The other pass: down. A work-item makes four columns of RY results, and loads every row once.
__constant float weights[FH] = {COLUMN_LIST};

__kernel void convolve(__global const float *restrict in, __global float *restrict out) {
    const int x = get_global_id(0) * 4, y = get_global_id(1) * RY;
    float4 sum[RY];
#pragma unroll
    for (int r = 0; r < RY; ++r)
        sum[r] = 0.0f;
#pragma unroll
    for (int line = 0; line < RY + FH - 1; ++line) {
        const float4 v = *(__global const float4 *)(in + (y + line) * PITCH + x);
#pragma unroll
        for (int r = 0; r < RY; ++r) {
            const int j = line - r;
            if (j >= 0 && j < FH) sum[r] += weights[j] * v;
        }
    }
#pragma unroll
    for (int r = 0; r < RY; ++r)
        *(__global float4 *)(out + (y + r) * OUT_PITCH + x) = sum[r];
}
