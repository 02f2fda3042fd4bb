// As many multiply-adds as a device can do: COUNT independent chains a work-item, so that none waits for another.
#if WIDTH == 16
typedef float16 Vector;
#elif WIDTH == 1
typedef float Vector;
#endif

__kernel void peak(__global float *out, float factor) {
    Vector v[COUNT];
    const float start = get_global_id(0) * 1e-6f;
#pragma unroll
    for (int i = 0; i < COUNT; ++i)
        v[i] = start + i;
#pragma unroll 1
    for (int n = 0; n < STEPS; ++n)
#pragma unroll
        for (int i = 0; i < COUNT; ++i)
            v[i] = fma(v[i], (Vector)factor, (Vector)0.25f);
    Vector sum = 0.0f;
#pragma unroll
    for (int i = 0; i < COUNT; ++i)
        sum += v[i];
#if WIDTH == 16
    out[get_global_id(0)] = sum.s0 + sum.s7 + sum.sf;
#else
    out[get_global_id(0)] = sum;
#endif
}
