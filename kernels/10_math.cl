// Functions in place of the built-in ones, which stop vectorisation (pow costs 250 times more on a CPU):
// polynomials and integer conversions, no branches. Errors are the largest found on dense sweeps against
// double.

// Nearest integer; |x| below 2^21. A conversion, as rint() does not vectorise.
FN int wf_round(float x) {
    return (int)(x + (x < 0.0f ? -0.5f : 0.5f));
}

// Fraction in [0, 1), also of negative x; |x| below 2^31.
FN float wf_fract(float x) {
    float f = x - (float)(int)x;
    return fmin(f < 0.0f ? f + 1.0f : f, 0.99999994f);
}

// 2^n for integer n in -126..127, from the bits of a float.
FN float wf_exp2i(int n) {
    return as_float((n + 127) << 23);
}

// e^r for |r| <= 0.36, the series to r^7.
FN float wf_exp_small(float r) {
    float p = 1.0f / 5040.0f;
    p = p * r + 1.0f / 720.0f;
    p = p * r + 1.0f / 120.0f;
    p = p * r + 1.0f / 24.0f;
    p = p * r + 1.0f / 6.0f;
    p = p * r + 0.5f;
    p = p * r + 1.0f;
    return p * r + 1.0f;
}

// 2^x, relative error 2.5e-7; held to 2^-126 below and to 2^127.5 above.
FN float wf_exp2(float x) {
    float v = wf_clamp(x, -126.0f, 127.49f);
    int n = wf_round(v);
    return wf_exp_small((v - (float)n) * 0.693147181f) * wf_exp2i(n);
}

// e^x, relative error 3e-7 for x in -87..88, held outside.
FN float wf_exp(float x) {
    float v = wf_clamp(x, -87.0f, 88.0f);
    int n = wf_round(v * 1.44269504f);
    float f = (float)n;
    // ln 2 in two parts, the first short enough that f * it is exact.
    float r = (v - f * 0.693359375f) + f * 2.12194440e-4f;
    return wf_exp_small(r) * wf_exp2i(n);
}

// log2 x, error 2e-7 relative (of the result) or absolute, whichever is larger. x <= 0 and subnormal count as
// 2^-126.
FN float wf_log2(float x) {
    int bits = as_int(fmax(x, 1.17549435e-38f));
    // Mantissa in sqrt(1/2)..sqrt(2), so that the result is exact around x = 1.
    int e = (bits - 0x3f3504f3) >> 23;
    float m = as_float(bits - (e << 23));
    float s = (m - 1.0f) / (m + 1.0f); // log m = 2 artanh s
    float z = s * s;
    float p = 2.88539008f / 9.0f;
    p = p * z + 2.88539008f / 7.0f;
    p = p * z + 2.88539008f / 5.0f;
    p = p * z + 2.88539008f / 3.0f;
    p = p * z + 2.88539008f;
    return p * s + (float)e;
}

// Natural logarithm, as wf_log2.
FN float wf_log(float x) {
    return wf_log2(x) * 0.693147181f;
}

// x^y for x > 0; 0 for x <= 0. Relative error 4e-7 + 1.5e-7 * |y log2 x|.
FN float wf_pow(float x, float y) {
    return x > 0.0f ? wf_exp2(y * wf_log2(x)) : 0.0f;
}

// sin r for |r| <= pi/2, the series to r^11: error 1.5e-7.
FN float wf_sin_small(float r) {
    float z = r * r;
    float p = -1.0f / 39916800.0f;
    p = p * z + 1.0f / 362880.0f;
    p = p * z - 1.0f / 5040.0f;
    p = p * z + 1.0f / 120.0f;
    p = p * z - 1.0f / 6.0f;
    return p * z * r + r;
}

// sin and cos of radians, absolute error 2e-7 for |x| <= 1000.
FN float wf_sin(float x) {
    int n = wf_round(x * 0.318309886f);
    float f = (float)n;
    float r = ((x - f * 3.140625f) - f * 9.67502594e-4f) - f * 1.50995799e-7f; // pi in three parts
    float s = wf_sin_small(r);
    return (n & 1) ? -s : s;
}
FN float wf_cos(float x) {
    int n = wf_round(x * 0.318309886f - 0.5f);
    float f = (float)n + 0.5f;
    float r = ((x - f * 3.140625f) - f * 9.67502594e-4f) - f * 1.50995799e-7f;
    float s = wf_sin_small(r);
    return (n & 1) ? s : -s;
}

// Angle of (x, y) in -pi..pi, absolute error 3e-7; 0 for (0, 0).
FN float wf_atan2(float y, float x) {
    float ax = fabs(x), ay = fabs(y);
    float q = fmin(ax, ay) / fmax(fmax(ax, ay), 1e-37f);
    // Beyond tan(pi/8) turn by pi/4, so that the series is short.
    int far = q > 0.414213562f;
    float u = far ? (q - 1.0f) / (q + 1.0f) : q;
    float z = u * u;
    float p = 1.0f / 17.0f;
    p = p * z - 1.0f / 15.0f;
    p = p * z + 1.0f / 13.0f;
    p = p * z - 1.0f / 11.0f;
    p = p * z + 1.0f / 9.0f;
    p = p * z - 1.0f / 7.0f;
    p = p * z + 1.0f / 5.0f;
    p = p * z - 1.0f / 3.0f;
    float a = p * z * u + u + (far ? 0.785398163f : 0.0f);
    a = ay > ax ? 1.57079633f - a : a;
    a = x < 0.0f ? 3.14159265f - a : a;
    return y < 0.0f ? -a : a;
}

// Length of (x, y); no care is taken of squares beyond float's range.
FN float wf_hypot(float x, float y) {
    return sqrt(x * x + y * y);
}

// Easing of a transition's progress, exact at 0 and 1. ease: 0 linear, 1 cubic, 2 sine, 3 smooth.
FN float wf_ease(float progress, int ease) {
    float p = wf_clamp01(progress);
    float q = 1.0f - p;
    float cubic = p < 0.5f ? 4.0f * p * p * p : 1.0f - 4.0f * q * q * q;
    float sine = 0.5f - 0.5f * wf_cos(p * 3.14159265f);
    float smooth = p * p * (3.0f - 2.0f * p);
    // Products, not a chain of ?: on one integer: compilers make that a switch, and a loop with one does not
    // vectorise.
    float e = p + (cubic - p) * (float)(ease == 1) + (sine - p) * (float)(ease == 2) +
              (smooth - p) * (float)(ease == 3);
    return p <= 0.0f ? 0.0f : p >= 1.0f ? 1.0f : e;
}
