float apply(float a, float b, At at, Params p) {
    // Half a step up, so that no grain stands on the edge at either end.
    float grain = wf_noise(at.px, at.py, 0x9e3779b9u) + 0.5f / 16777216.0f;
    return wf_mix(a, b, wf_reveal(wf_ease(at.progress, p.ease), grain, p.soft));
}
