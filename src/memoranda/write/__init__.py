"""Events become documents: extract, rewrite, route, reshape, plan, apply."""
