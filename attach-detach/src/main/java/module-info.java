// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** Decides which volume is attached to which node. */
@NullMarked
module dev.mooring.attachdetach {
    requires static transitive org.apiguardian.api;
    requires static transitive org.jspecify;
    requires transitive dev.mooring.runtime;

    exports dev.mooring.attachdetach;
    exports dev.mooring.attachdetach.calls;
    exports dev.mooring.attachdetach.metrics;
}
