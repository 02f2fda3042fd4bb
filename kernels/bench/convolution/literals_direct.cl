// The filter is part of the text and samples come straight from global memory: a processor's caches are its tile,
// and without a barrier its compiler makes vectors of neighbouring work-items.
__constant float weights[FH * FW4] = {WEIGHT_LIST};

__kernel void convolve(__global const float *restrict in, __global float *restrict out) {
    const int x = get_global_id(0), y = get_global_id(1);
    __global const float *from = in + y * PITCH + x;
    float sum = 0.0f;
#pragma unroll
    for (int j = 0; j < FH; ++j)
#pragma unroll
        for (int i = 0; i < FW; ++i)
            sum += weights[j * FW4 + i] * from[j * PITCH + i];
    out[y * OUT_PITCH + x] = sum;
}
