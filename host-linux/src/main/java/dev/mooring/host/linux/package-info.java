// SPDX-License-Identifier: Apache-2.0
/**
 * The host services on Linux. {@link dev.mooring.host.linux.LinuxHost} is what an agent makes one of; {@link
 * dev.mooring.host.linux.MountInfoParser} reads the kernel's mount table for whoever has its text.
 *
 * <p>Needs Linux 5.12 for the new mount calls. On an older kernel there is no way to make a read-only mount that is not writable for
 * an instant without a private staging area, so binds are refused there and {@link
 * dev.mooring.storage.spi.host.HostCapabilities} says why.
 */
@NullMarked
package dev.mooring.host.linux;

import org.jspecify.annotations.NullMarked;
