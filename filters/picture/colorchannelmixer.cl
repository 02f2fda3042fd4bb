Px apply(Px px, At at, Params p) {
    return px_make(p.rr * px.r + p.rg * px.g + p.rb * px.b + p.ra * px.a,
                   p.gr * px.r + p.gg * px.g + p.gb * px.b + p.ga * px.a,
                   p.br * px.r + p.bg * px.g + p.bb * px.b + p.ba * px.a,
                   p.ar * px.r + p.ag * px.g + p.ab * px.b + p.aa * px.a);
}
