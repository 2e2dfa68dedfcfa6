// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** The node side: stage, publish, unpublish, unstage, reconstruct. */
@NullMarked
module dev.mooring.volumemanager {
    requires static transitive org.apiguardian.api;
    requires static transitive org.jspecify;
    requires transitive dev.mooring.runtime;

    exports dev.mooring.volumemanager;
    exports dev.mooring.volumemanager.calls;
    exports dev.mooring.volumemanager.content;
    exports dev.mooring.volumemanager.metrics;
    exports dev.mooring.volumemanager.statistics;
    exports dev.mooring.volumemanager.subpath;
}
