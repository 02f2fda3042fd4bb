float apply(float a, float b, At at, Params p) {
    float mask = p.invert != 0 ? 1.0f - at.m : at.m;
    return wf_mix(a, b, wf_reveal(wf_ease(at.progress, p.ease), mask, p.soft));
}
