// SPDX-License-Identifier: Apache-2.0
/**
 * The host services on Linux. {@link dev.mooring.host.linux.LinuxHost} is what an agent makes one of; {@link
 * dev.mooring.host.linux.MountInfoParser} reads the kernel's mount table for whoever has its text. Here are mounts; below are the {@code kernel}'s
 * calls, and on these {@code file}, {@code process}, {@code device} and, above the last two, {@code filesystem}.
 *
 * <p>Made for Linux 5.12 and later. What an older kernel lacks is found out at the start, is said by {@link
 * dev.mooring.storage.spi.host.HostCapabilities}, and is done in another safe way or refused: a bind mount is prepared in a hidden directory
 * and then moved, the mount of a file is read from {@code /proc}, the mount table is read until two looks agree.
 */
@NullMarked
package dev.mooring.host.linux;

import org.jspecify.annotations.NullMarked;
