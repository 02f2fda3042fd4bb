float apply(float a, float b, At at, Params p) {
    float far = wf_hypot((at.x - 0.5f) * at.aspect, at.y - 0.5f) * (2.0f / wf_hypot(at.aspect, 1.0f));
    return wf_mix(a, b, wf_reveal(wf_ease(at.progress, p.ease), 1.0f - far, p.soft));
}
