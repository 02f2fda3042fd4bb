float apply(float a, float b, At at, Params p) {
    float moved = wf_ease(at.progress, p.ease);
    return at.x > moved ? a : b;
}
