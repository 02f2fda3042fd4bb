// A work-item a result; samples and weights from global memory, every one of them again for every result.
__kernel void convolve(__global const float *in, __global const float *weights, __global float *out) {
    const int x = get_global_id(0), y = get_global_id(1);
    float sum = 0.0f;
    for (int j = 0; j < FH; ++j)
        for (int i = 0; i < FW; ++i)
            sum += weights[j * FW4 + i] * in[(y + j) * PITCH + x + i];
    out[y * OUT_PITCH + x] = sum;
}
