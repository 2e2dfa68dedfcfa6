// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** Binds claims to volumes, has volumes made and reclaimed, and protects both while they are used. */
@NullMarked
module dev.mooring.binder {
    requires static transitive org.apiguardian.api;
    requires static transitive org.jspecify;
    // What generates builders; not needed at run time.
    requires static io.soabase.recordbuilder.core;
    requires transitive dev.mooring.runtime;

    exports dev.mooring.binder;
    exports dev.mooring.binder.calls;
    exports dev.mooring.binder.explain;
    exports dev.mooring.binder.metrics;
    exports dev.mooring.binder.repair;
    exports dev.mooring.binder.scheduling;
    exports dev.mooring.binder.snapshot;
}
