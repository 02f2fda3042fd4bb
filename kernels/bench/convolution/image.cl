// The source is an image object: the texture cache knows two dimensions.
__constant sampler_t plain = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

__kernel void convolve(__read_only image2d_t in, __global const float *weights, __global float *out) {
    const int x = get_global_id(0), y = get_global_id(1);
    float sum = 0.0f;
    for (int j = 0; j < FH; ++j)
        for (int i = 0; i < FW; ++i)
            sum += weights[j * FW4 + i] * read_imagef(in, plain, (int2)(x + i, y + j)).x;
    out[y * OUT_PITCH + x] = sum;
}
