# Forwards to ./dev, for those whose fingers type make.
TARGETS := run build test bench compat sim fuzz format tidy
.PHONY: $(TARGETS)
$(TARGETS): ; @./dev $@
