// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/** Tests that tell the author of a plugin what is wrong with it, before production does. */
@NullMarked
module dev.mooring.testkit {
    requires static transitive org.apiguardian.api;
    requires static transitive org.jspecify;
    requires java.logging;
    requires transitive dev.mooring.storage;
    requires transitive org.junit.jupiter.api;

    exports dev.mooring.testkit;
    exports dev.mooring.testkit.host;
    exports dev.mooring.testkit.rule;
    exports dev.mooring.testkit.subject;
}
