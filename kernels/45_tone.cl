// HDR light on a display of SDR white, in linear light: see colour/tone.hpp, which has the curves.

// A colour outside the gamut mixed with grey of its own luminance (weights wr, wg, wb).
FN Px px_into_gamut(Px p, const float wr, const float wg, const float wb) {
    float least = fmin(fmin(p.r, p.g), p.b);
    float grey = fmax(wr * p.r + wg * p.g + wb * p.b, 0.0f);
    float keep = least < 0.0f ? grey / (grey - least) : 1.0f;
    return px_make(fmax(grey + (p.r - grey) * keep, 0.0f), fmax(grey + (p.g - grey) * keep, 0.0f),
                   fmax(grey + (p.b - grey) * keep, 0.0f), p.a);
}

// All three components by the gain that a curve gives the largest of them.
//   t    : the gains at n places, the fourth powers of 0..1 times the peak
//   peak : above it the largest component becomes 1
FN Px px_tone(Px p, const __global ulong* restrict t, const int n, const float peak) {
    float largest = fmax(fmax(fmax(p.r, p.g), p.b), 1e-9f);
    float place = sqrt(sqrt(fmin(largest * (1.0f / peak), 1.0f)));
    return px_scale(p, wf_curve(t, n, place * (float)(n - 1)) * fmin(peak / largest, 1.0f));
}
