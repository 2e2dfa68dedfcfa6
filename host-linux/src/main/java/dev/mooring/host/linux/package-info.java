// SPDX-License-Identifier: Apache-2.0
/**
 * The host services on Linux. {@link dev.mooring.host.linux.LinuxHost} is what an agent makes one of; {@link
 * dev.mooring.host.linux.MountInfoParser} reads the kernel's mount table from its text. Here are mounts; below are the {@code kernel}'s
 * calls, and on these {@code file}, {@code process}, {@code device} and, above the last two, {@code filesystem}.
 *
 * <p>Made for Linux 5.12 and later, see {@link dev.mooring.host.linux.KernelRelease}. What a sandbox or missing rights forbid is found at the
 * start, is in {@link dev.mooring.storage.spi.host.HostCapabilities}, and is refused.
 */
@NullMarked
package dev.mooring.host.linux;

import org.jspecify.annotations.NullMarked;
