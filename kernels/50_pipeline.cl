// What generated kernels call between filters: line copies, stores, blending.

typedef struct { float t, n, progress; uint seed; } WfTick;

// A value as signed 16 bit with 6 fraction bits of an 8-bit code, saturating. The shift by 32768 makes the
// conversion's truncation a rounding for negative values too.
FN short wf_q6(float v) {
    int q = (int)(v * 16320.0f + 32768.5f) - 32768;
    q = q < -32768 ? -32768 : q;
    return (short)(q > 32767 ? 32767 : q);
}
#define WF_Q6(v) wf_q6(v)

FN void wf_copy_short(short* restrict to, const short* restrict from, const int first, const int end) {
    for (int i = first; i < end; i++) to[i] = from[i];
}
FN void wf_copy_float(float* restrict to, const float* restrict from, const int first, const int end) {
    for (int i = first; i < end; i++) to[i] = from[i];
}

// Rounding offset 0..1 that differs from sample to sample: ordered, 8x8 (Bayer's matrix by bit interleaving).
FN float wf_dither(const int x, const int y) {
    const int e = x ^ y;
    const int bits = ((e & 1) << 5) | ((y & 1) << 4) | ((e & 2) << 2) | ((y & 2) << 1) | ((e & 4) >> 1) | ((y & 4) >> 2);
    return ((float)bits + 0.5f) * (1.0f / 64.0f);
}

// Source s over, or blended with, canvas d; both premultiplied. Source: W3C Compositing and Blending Level 1,
// "simple alpha compositing" and "blending": co = cs * (1 - ab) + cb * (1 - as) + as * ab * B(cb / ab, cs / as).
FN Px px_over(Px d, Px s) {
    const float k = 1.0f - s.a;
    return px_make(s.r + d.r * k, s.g + d.g * k, s.b + d.b * k, s.a + d.a * k);
}
FN Px px_plus(Px d, Px s) { return px_make(d.r + s.r, d.g + s.g, d.b + s.b, fmin(d.a + s.a, 1.0f)); }

FN float wf_straight(float v, float a) { return a > 0.0f ? v / a : 0.0f; }
FN float wf_multiply(float b, float s) { return b * s; }
FN float wf_screen(float b, float s) { return b + s - b * s; }
FN float wf_overlay(float b, float s) { return b <= 0.5f ? 2.0f * b * s : 1.0f - 2.0f * (1.0f - b) * (1.0f - s); }
FN float wf_darken(float b, float s) { return fmin(b, s); }
FN float wf_lighten(float b, float s) { return fmax(b, s); }
FN float wf_difference(float b, float s) { return fabs(b - s); }

#define WF_BLEND(name)                                                                                       \
    FN float wf_mixed_##name(float b, float s, float ab, float as) {                                         \
        return s * (1.0f - ab) + b * (1.0f - as) + as * ab * wf_##name(wf_straight(b, ab), wf_straight(s, as)); \
    }                                                                                                        \
    FN Px px_blend_##name(Px d, Px s) {                                                                      \
        return px_make(wf_mixed_##name(d.r, s.r, d.a, s.a), wf_mixed_##name(d.g, s.g, d.a, s.a),             \
                       wf_mixed_##name(d.b, s.b, d.a, s.a), s.a + d.a - s.a * d.a);                          \
    }
WF_BLEND(multiply)
WF_BLEND(screen)
WF_BLEND(overlay)
WF_BLEND(darken)
WF_BLEND(lighten)
WF_BLEND(difference)
#undef WF_BLEND

// A line of a displaced picture: sample x is what it has at x + first, its ends repeat. Apart from those, loops run
// along memory, which is ten times as fast as a place for each sample.
FN void wf_moved(float* restrict out, const float* restrict line, const int size, const int first) {
    const int from = min(max(-first, 0), size), until = max(min(size - first, size), from), count = until - from;
    // From a place that is there; x + first as a sum of ints would be checked for wrapping.
    const float* restrict at = line + min(max(first, 0), size - 1);
    float* restrict to = out + from;
    for (int x = 0; x < from; x++) out[x] = line[0];
    for (int x = 0; x < count; x++) to[x] = at[x]; // a copy, which compilers know
    for (int x = until; x < size; x++) out[x] = line[size - 1];
}
// The same between samples: four of them from there on, weighted. The line has room for three more at both ends.
FN void wf_moved4(float* restrict out, float* restrict line, const int size, const int first, const float w0,
                  const float w1, const float w2, const float w3) {
    const float a = line[0], z = line[size - 1];
    for (int k = 1; k <= 3; k++) {
        line[-k] = a;
        line[size - 1 + k] = z;
    }
    const int from = min(max(-first - 3, 0), size), until = max(min(size - first, size), from);
    const float left = w0 * a + w1 * a + w2 * a + w3 * a, right = w0 * z + w1 * z + w2 * z + w3 * z;
    const int count = until - from;
    const float* restrict at = line + min(max(first, -3), size - 1);
    float* restrict to = out + from;
    for (int x = 0; x < from; x++) out[x] = left;
    VEC for (int x = 0; x < count; x++) {
        const float* c = at + x;
        to[x] = w0 * c[0] + w1 * c[1] + w2 * c[2] + w3 * c[3];
    }
    for (int x = until; x < size; x++) out[x] = right;
}
