// SPDX-License-Identifier: Apache-2.0
import org.jspecify.annotations.NullMarked;

/**
 * The host services of {@link dev.mooring.storage.spi.host} on Linux (x86_64 and aarch64), by system calls and not by tools
 * wherever the kernel itself is the interface. Entry point is {@link dev.mooring.host.linux.LinuxHost}.
 */
@NullMarked
module dev.mooring.host.linux {
    requires static transitive org.apiguardian.api;
    requires static transitive org.jspecify;
    requires transitive dev.mooring.storage;
    requires com.sun.jna;

    exports dev.mooring.host.linux;
}
