float apply(float a, float b, At at, Params p) {
    // Of a sample in whose middle they meet, the pictures' displacements leave the new one's.
    float seam = 1.0f - wf_ease(at.progress, p.ease) - 0.001f / at.w;
    return at.x < seam ? a : b;
}
