float apply(float a, float b, At at, Params p) {
    float edge = wf_edge(wf_ease(at.progress, p.ease), p.soft);
    return wf_mix(a, b, wf_band(edge - (1.0f - at.y), p.soft));
}
