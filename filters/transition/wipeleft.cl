float apply(float a, float b, At at, Params p) {
    return wf_mix(a, b, wf_reveal(wf_ease(at.progress, p.ease), 1.0f - at.x - p.nudge, p.soft));
}
