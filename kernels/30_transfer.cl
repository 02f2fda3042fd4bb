// Transfer curves: from stored, nominal 0..1 values to light and back. 1.0 is SDR white; PQ and HLG reach
// above it. SDR curves continue below 0 by symmetry, so that nothing is lost between filters.

FN float wf_with_sign(float magnitude, float v) {
    return v < 0.0f ? -magnitude : magnitude;
}

// BT.709-6, item 1.2, with the constants of BT.2020-2, table 4, where both branches meet:
// V = alpha L^0.45 - (alpha - 1) from L = beta, 4.5 L below.
#define WF_BT709_ALPHA 1.09929683f
#define WF_BT709_BETA 0.0180539685f
FN float wf_bt709_to_linear(float v) {
    float a = fabs(v);
    float curve = wf_pow((a + (WF_BT709_ALPHA - 1.0f)) * (1.0f / WF_BT709_ALPHA), 1.0f / 0.45f);
    return wf_with_sign(a < 4.5f * WF_BT709_BETA ? a * (1.0f / 4.5f) : curve, v);
}
FN float wf_linear_to_bt709(float l) {
    float a = fabs(l);
    float curve = WF_BT709_ALPHA * wf_pow(a, 0.45f) - (WF_BT709_ALPHA - 1.0f);
    return wf_with_sign(a < WF_BT709_BETA ? 4.5f * a : curve, l);
}

// IEC 61966-2-1, clauses 5.2 and 5.3 (sRGB).
FN float wf_srgb_to_linear(float v) {
    float a = fabs(v);
    return wf_with_sign(a <= 0.04045f ? a * (1.0f / 12.92f) : wf_pow((a + 0.055f) * (1.0f / 1.055f), 2.4f),
                        v);
}
FN float wf_linear_to_srgb(float l) {
    float a = fabs(l);
    return wf_with_sign(a <= 0.0031308f ? 12.92f * a : 1.055f * wf_pow(a, 1.0f / 2.4f) - 0.055f, l);
}

// Pure powers: assumed display gammas of BT.470 (2.2 for system M, 2.8 for B and G).
FN float wf_gamma22_to_linear(float v) {
    return wf_with_sign(wf_pow(fabs(v), 2.2f), v);
}
FN float wf_linear_to_gamma22(float l) {
    return wf_with_sign(wf_pow(fabs(l), 1.0f / 2.2f), l);
}
FN float wf_gamma28_to_linear(float v) {
    return wf_with_sign(wf_pow(fabs(v), 2.8f), v);
}
FN float wf_linear_to_gamma28(float l) {
    return wf_with_sign(wf_pow(fabs(l), 1.0f / 2.8f), l);
}

// BT.2100-2, table 4 (PQ). The table's 10000 cd/m2 are 10000/203 times SDR white (BT.2408-4, 2.2).
#define WF_PQ_M1 (2610.0f / 16384.0f)
#define WF_PQ_M2 (2523.0f / 4096.0f * 128.0f)
#define WF_PQ_C1 (3424.0f / 4096.0f)
#define WF_PQ_C2 (2413.0f / 4096.0f * 32.0f)
#define WF_PQ_C3 (2392.0f / 4096.0f * 32.0f)
FN float wf_pq_to_linear(float v) {
    // So high a root that the power needs no range reduction; below 1e-12 it is too large, and light is 0 still.
    float e = wf_exp_small(fmax(wf_log2(fabs(v)), -40.0f) * (0.693147181f / WF_PQ_M2));
    float y = fmax(e - WF_PQ_C1, 0.0f) / fmax(WF_PQ_C2 - WF_PQ_C3 * e, 1e-6f);
    return wf_with_sign(wf_pow(y, 1.0f / WF_PQ_M1) * (10000.0f / 203.0f), v);
}
FN float wf_linear_to_pq(float l) {
    float y = wf_pow(fabs(l) * (203.0f / 10000.0f), WF_PQ_M1);
    return wf_with_sign(wf_pow((WF_PQ_C1 + WF_PQ_C2 * y) / (1.0f + WF_PQ_C3 * y), WF_PQ_M2), l);
}

// BT.2100-2, table 5 (HLG): between signal and scene light, both 0..1. b = 1 - 4a, c = 0.5 - a ln(4a).
#define WF_HLG_A 0.17883277f
#define WF_HLG_B 0.28466892f
#define WF_HLG_C 0.55991073f
FN float wf_hlg_to_scene(float v) {
    float a = fabs(v);
    float e = a <= 0.5f ? a * a * (1.0f / 3.0f)
                        : (wf_exp((a - WF_HLG_C) * (1.0f / WF_HLG_A)) + WF_HLG_B) * (1.0f / 12.0f);
    return wf_with_sign(e, v);
}
FN float wf_scene_to_hlg(float e) {
    float a = fabs(e);
    float curve = WF_HLG_A * wf_log(fmax(12.0f * a - WF_HLG_B, 1e-6f)) + WF_HLG_C;
    return wf_with_sign(a <= 1.0f / 12.0f ? sqrt(3.0f * a) : curve, e);
}

// The same to the light of table 5's display of 1000 cd/m2, gamma 1.2: of a grey, and of a pixel of BT.2020
// primaries, whose luminance (note 5c) decides the gain.
#define WF_HLG_PEAK (1000.0f / 203.0f)
FN float wf_hlg_to_linear(float v) {
    float e = wf_hlg_to_scene(v);
    return wf_with_sign(WF_HLG_PEAK * wf_pow(fabs(e), 1.2f), e);
}
FN float wf_linear_to_hlg(float l) {
    return wf_scene_to_hlg(wf_with_sign(wf_pow(fabs(l) * (1.0f / WF_HLG_PEAK), 1.0f / 1.2f), l));
}
FN Px px_hlg_to_linear(Px p) {
    Px e = px_make(wf_hlg_to_scene(p.r), wf_hlg_to_scene(p.g), wf_hlg_to_scene(p.b), p.a);
    return px_scale(e, WF_HLG_PEAK * wf_pow(px_luma2020(e), 0.2f));
}
FN Px px_linear_to_hlg(Px p) {
    float y = px_luma2020(p) / WF_HLG_PEAK;
    Px e = px_scale(p, y > 0.0f ? wf_pow(y, -0.2f / 1.2f) / WF_HLG_PEAK : 0.0f);
    return px_make(wf_scene_to_hlg(e.r), wf_scene_to_hlg(e.g), wf_scene_to_hlg(e.b), p.a);
}
