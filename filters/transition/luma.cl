float apply(float a, float b, At at, Params p) {
    float mask = p.invert != 0 ? 1.0f - at.m : at.m;
    float done = wf_ease(at.progress, p.ease);
    // A little further out at both ends, so that rounding leaves no trace of the other picture.
    float edge = wf_edge(done, p.soft) + (done - 0.5f) * 1e-5f;
    return wf_mix(a, b, wf_band(edge - mask, p.soft));
}
