// One pass of a separable filter: across. WIDTH results a work-item, a multiple of 4 of them.
__constant float weights[FW] = {ROW_LIST};

__kernel void convolve(__global const float *restrict in, __global float *restrict out) {
    const int x = get_global_id(0) * WIDTH, y = get_global_id(1);
    __global const float *from = in + y * PITCH + x;
    float row[WIDTH + FW4], sum[WIDTH];
#pragma unroll
    for (int i = 0; i < (WIDTH + FW4) / 4; ++i) {
        const float4 four = ((__global const float4 *)from)[i];
        row[4 * i] = four.x;
        row[4 * i + 1] = four.y;
        row[4 * i + 2] = four.z;
        row[4 * i + 3] = four.w;
    }
#pragma unroll
    for (int k = 0; k < WIDTH; ++k)
        sum[k] = 0.0f;
#pragma unroll
    for (int i = 0; i < FW; ++i)
#pragma unroll
        for (int k = 0; k < WIDTH; ++k)
            sum[k] += weights[i] * row[k + i];
#pragma unroll
    for (int k = 0; k < WIDTH; k += 4)
        *(__global float4 *)(out + y * OUT_PITCH + x + k) = (float4)(sum[k], sum[k + 1], sum[k + 2], sum[k + 3]);
}
