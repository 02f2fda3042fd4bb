float apply(float v, At at, Params p) {
    float turned = 2.0f * wf_zero(at) - v; // chroma about its middle
    turned = wf_is_chroma(at) ? turned : at.lo + at.hi - v;
    return at.c == 3 && p.negate_alpha == 0 ? v : turned;
}
