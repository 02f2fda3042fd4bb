// HDR light on a display of SDR white, in linear light: see colour/tone.hpp, which says what each curve is.
// Constants come from there, as literals.

// A colour outside the gamut mixed with grey of its own luminance (weights wr, wg, wb).
FN Px px_into_gamut(Px p, const float wr, const float wg, const float wb) {
    float least = fmin(fmin(p.r, p.g), p.b);
    float grey = fmax(wr * p.r + wg * p.g + wb * p.b, 0.0f);
    float keep = least < 0.0f ? grey / (grey - least) : 1.0f;
    return px_make(fmax(grey + (p.r - grey) * keep, 0.0f), fmax(grey + (p.g - grey) * keep, 0.0f),
                   fmax(grey + (p.b - grey) * keep, 0.0f), p.a);
}

// The largest component, which decides; above 0, so that it can be divided by.
FN float wf_largest(Px p) {
    return fmax(fmax(fmax(p.r, p.g), p.b), 1e-6f);
}

// BT.2390-10, 5.4.1.
FN Px px_tone_bt2390(Px p, const float peak, const float peak_pq, const float knee, const float top) {
    float largest = wf_largest(p), l = fmin(largest, peak);
    float e = wf_linear_to_pq(l) * (1.0f / peak_pq);
    float t = fmax((e - knee) * (1.0f / (1.0f - knee)), 0.0f);
    float t2 = t * t, t3 = t2 * t;
    float out = (2.0f * t3 - 3.0f * t2 + 1.0f) * knee + (t3 - 2.0f * t2 + t) * (1.0f - knee) +
                (3.0f * t2 - 2.0f * t3) * top;
    float bent = wf_pq_to_linear(out * peak_pq);
    return px_scale(p, (e <= knee ? l : bent) / largest);
}

FN float wf_hable(float l) {
    return (l * (l * 0.15f + 0.05f) + 0.004f) / (l * (l * 0.15f + 0.5f) + 0.06f) - 0.02f / 0.3f;
}
FN Px px_tone_hable(Px p, const float peak) {
    float largest = wf_largest(p);
    return px_scale(p, wf_hable(fmin(largest, peak)) * (1.0f / wf_hable(peak)) / largest);
}

FN Px px_tone_reinhard(Px p, const float peak) {
    float largest = wf_largest(p), l = fmin(largest, peak);
    return px_scale(p, l / (l + 1.0f) * ((peak + 1.0f) / peak) / largest);
}

FN Px px_tone_mobius(Px p, const float peak) {
    const float j = 0.3f;
    const float a = -j * j * (peak - 1.0f) / (j * j - 2.0f * j + peak);
    const float b = (j * j - 2.0f * j * peak + peak) / fmax(peak - 1.0f, 1e-6f);
    float largest = wf_largest(p), l = fmin(largest, peak);
    float bent = (b * b + 2.0f * b * j + j * j) / (b - a) * (l + a) / (l + b);
    return px_scale(p, (l <= j ? l : bent) / largest);
}

FN Px px_tone_clip(Px p) {
    return px_scale(p, 1.0f / fmax(wf_largest(p), 1.0f));
}
