// Both passes in one: each row of the source is filtered across in registers and at once added to the FH results
// below each other that it reaches, so that nothing goes through memory in between. A work-item makes WIDTH columns
// of BAND * FH results; the ring of sums moves by renaming, which is why the loop inside is as long as the ring.
__constant float across[FW] = {ROW_LIST};
__constant float down[FH] = {COLUMN_LIST};

#if WIDTH == 16
typedef float16 Vector;
#define STORE(v, to) vstore16(v, 0, to)
Vector filtered(__global const float *from) {
    Vector sum = 0.0f;
#pragma unroll
    for (int i = 0; i < FW; ++i)
        sum += across[i] * vload16(0, from + i);
    return sum;
}
#else
typedef float4 Vector;
#define STORE(v, to) *(__global float4 *)(to) = v
Vector filtered(__global const float *from) {
    float row[4 + FW4];
#pragma unroll
    for (int i = 0; i < (4 + FW4) / 4; ++i) {
        const float4 four = ((__global const float4 *)from)[i];
        row[4 * i] = four.x;
        row[4 * i + 1] = four.y;
        row[4 * i + 2] = four.z;
        row[4 * i + 3] = four.w;
    }
    Vector sum = 0.0f;
#pragma unroll
    for (int i = 0; i < FW; ++i)
        sum += across[i] * (float4)(row[i], row[i + 1], row[i + 2], row[i + 3]);
    return sum;
}
#endif

__kernel void convolve(__global const float *restrict in, __global float *restrict out) {
    const int x = get_global_id(0) * WIDTH, y = get_global_id(1) * BAND * FH;
    __global const float *from = in + y * PITCH + x;
    __global float *to = out + y * OUT_PITCH + x;
    Vector sum[FH];
    // Result n collects in sum[n % FH] from its first row n on, and is complete with row n + FH - 1.
#pragma unroll
    for (int r = 0; r < FH; ++r)
        sum[r] = 0.0f;
#pragma unroll
    for (int line = 0; line < FH - 1; ++line) {
        const Vector v = filtered(from + line * PITCH);
#pragma unroll
        for (int r = 0; r <= line; ++r)
            sum[r] += down[line - r] * v;
    }
#pragma unroll 1
    for (int n = 0; n < BAND * FH; n += FH)
#pragma unroll
        for (int step = 0; step < FH; ++step) {
            const Vector v = filtered(from + (n + step + FH - 1) * PITCH);
#pragma unroll
            for (int r = 0; r < FH; ++r) // the row is number FH - 1 - r of result n + step + r
                sum[(step + r) % FH] += down[FH - 1 - r] * v;
            STORE(sum[step], to + (n + step) * OUT_PITCH);
            sum[step] = 0.0f;
        }
}
