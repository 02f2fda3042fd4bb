float apply(float a, float b, At at, Params p) {
    return wf_mix(a, b, wf_ease(at.progress, p.ease));
}
