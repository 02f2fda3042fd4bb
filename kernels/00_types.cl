// Types and helpers that every filter text may use. OpenCL C 1.2, joined before the generated text.
// Everything is scalar: compilers vectorise across pixels, and vector types get in their way. A division by
// what is the same for all pixels is written as a product with its reciprocal, which is then computed once.

// Before a loop over a line: what makes the device's compiler vectorise it, from who puts these texts together.
#ifndef VEC
#define VEC
#endif

#define FN static __attribute__((always_inline)) inline
// Of lines that loops over x fill and read: a vector that begins on its own size is read at once.
#define WF_LINE __attribute__((aligned(64)))

// Stored chroma without colour, in every range and depth.
#define WF_CHROMA_MID (128.0f / 255.0f)

// A pixel. In RGB: nominal 0..1, may leave it. In the space ycbcr r, g, b hold Y, Cb, Cr as stored codes /
// 255.
typedef struct {
    float r, g, b, a;
} Px;

// Where and when a filter's text runs.
//   x, y       0..1 across the picture, at sample centres
//   px, py     sample number in its line and column, from 0
//   w, h       size of what is filtered, in samples (of the plane, where planes are filtered)
//   aspect     width over height of the picture as shown
//   t, n       seconds and number of the picture; progress 0..1 of a transition; seed differs per picture
//   lo, mid, hi  stored values of the component: limited luma 16, 127.5, 235; limited chroma 16, 128, 240;
//                full range and RGB 0, 127.5 (chroma 128), 255; all / 255
//   c          0 luma, red, green, blue or any; 1 Cb; 2 Cr; 3 alpha
//   m          the mask's value 0..1, in filters with a mask
typedef struct {
    float x, y;
    int px, py;
    int w, h;
    float aspect, t, n, progress;
    uint seed;
    float lo, mid, hi;
    int c;
    float m;
} At;

// The clamp that vectorises: fmin and fmax, no ternary.
FN float wf_clamp(float v, float low, float high) {
    return fmin(fmax(v, low), high);
}
// The smaller of two whole numbers; the built-in is a call until devices link their library, too late to vectorise.
FN int wf_mini(int a, int b) { return a < b ? a : b; }
// A code held to 0..top. Whole numbers are cheaper to hold than floats, whose minimum must heed NaN. What no int holds,
// some millions of times white, is any code.
FN int wf_held(int code, const int top) {
    code = code < 0 ? 0 : code;
    return code > top ? top : code;
}
// A float cut to a code and held so. GPUs have one instruction for it.
#ifdef WF_WIDE
FN int wf_code(float v, const int top) {
    return top == 255 ? (int)convert_uchar_sat(v) : min((int)convert_ushort_sat(v), top);
}
#else
FN int wf_code(float v, const int top) { return wf_held((int)v, top); }
#endif
FN float wf_clamp01(float v) {
    return fmin(fmax(v, 0.0f), 1.0f);
}

// Exactly a at m = 0 and exactly b at m = 1, which a + (b - a) * m is not.
FN float wf_mix(float a, float b, float m) {
    return a * (1.0f - m) + b * m;
}

// 0 below `from`, 1 above `to`, a cubic between; from < to.
FN float wf_smooth(float from, float to, float v) {
    float s = wf_clamp01((v - from) / (to - from));
    return s * s * (3.0f - 2.0f * s);
}

// Whether the component is colour difference, and the value without light or colour: black, or chroma's
// middle.
FN int wf_is_chroma(At at) {
    return at.c == 1 || at.c == 2;
}
FN float wf_zero(At at) {
    return wf_is_chroma(at) ? at.mid : at.lo;
}
// The same for white: full luma, chroma's middle.
FN float wf_white(At at) {
    return wf_is_chroma(at) ? at.mid : at.hi;
}

// Share 0..1 of the new picture at a place (0..1) that a moving edge reaches at the progress of the same
// value. The edge is a band of width `soft` > 0, which is outside 0..1 at both ends: exactly 0 at progress 0,
// 1 at 1.
FN float wf_reveal(float progress, float place, float soft) {
    float edge = progress * (1.0f + soft) - 0.5f * soft;
    float share = wf_clamp01((edge - place) * (1.0f / soft) + 0.5f);
    return progress <= 0.0f ? 0.0f : progress >= 1.0f ? 1.0f : share;
}

FN Px px_make(float r, float g, float b, float a) {
    Px o = {r, g, b, a};
    return o;
}
// r, g and b by a factor, alpha kept.
FN Px px_scale(Px p, float f) {
    return px_make(p.r * f, p.g * f, p.b * f, p.a);
}
// All four.
FN Px px_scale4(Px p, float f) {
    return px_make(p.r * f, p.g * f, p.b * f, p.a * f);
}
FN Px px_add(Px p, Px q) {
    return px_make(p.r + q.r, p.g + q.g, p.b + q.b, p.a + q.a);
}
FN Px px_mix(Px p, Px q, float m) {
    return px_make(wf_mix(p.r, q.r, m), wf_mix(p.g, q.g, m), wf_mix(p.b, q.b, m), wf_mix(p.a, q.a, m));
}
FN Px px_clamp01(Px p) {
    return px_make(wf_clamp01(p.r), wf_clamp01(p.g), wf_clamp01(p.b), wf_clamp01(p.a));
}
// Luma of an RGB pixel. Source: BT.709 item 3.2; BT.601-7 item 2.5.1; BT.2020-2 table 4.
FN float px_luma709(Px p) {
    return 0.2126f * p.r + 0.7152f * p.g + 0.0722f * p.b;
}
FN float px_luma601(Px p) {
    return 0.299f * p.r + 0.587f * p.g + 0.114f * p.b;
}
FN float px_luma2020(Px p) {
    return 0.2627f * p.r + 0.6780f * p.g + 0.0593f * p.b;
}
