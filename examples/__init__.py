"""Programs built on nothing but the public API of essen_hilo."""
