float apply(float a, float b, At at, Params p) {
    float far = 2.0f * wf_hypot((at.x - 0.5f) * at.aspect, at.y - 0.5f) / wf_hypot(at.aspect, 1.0f);
    float edge = wf_edge(wf_ease(at.progress, p.ease), p.soft);
    return wf_mix(a, b, wf_band(edge - (1.0f - far), p.soft));
}
