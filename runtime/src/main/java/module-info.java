// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** The control loop, effects, timers, caches, and records of what was begun. */
@NullMarked
module dev.mooring.runtime {
    requires static transitive org.apiguardian.api;
    requires static transitive org.jspecify;
    // What generates builders; not needed at run time.
    requires static io.soabase.recordbuilder.core;
    requires transitive dev.mooring.storage;
    requires org.slf4j;

    exports dev.mooring.runtime;
    exports dev.mooring.runtime.cache;
    exports dev.mooring.runtime.control;
    exports dev.mooring.runtime.metrics;
    exports dev.mooring.runtime.plugin;
    exports dev.mooring.runtime.record;
    exports dev.mooring.runtime.term;
}
