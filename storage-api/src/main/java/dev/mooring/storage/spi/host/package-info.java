// SPDX-License-Identifier: Apache-2.0
/**
 * What the host does for plugins, so that a plugin makes no system call and starts no process of its own: {@link
 * dev.mooring.storage.spi.host.ProcessRunner tools}, {@link dev.mooring.storage.spi.host.Mounts mounts} and {@link
 * dev.mooring.storage.spi.host.HostFiles files by descriptor}. A plugin is given them through {@link
 * dev.mooring.storage.spi.OperationContext#host()}.
 *
 * <p>These are contracts only: on Linux they are carried out by system calls, in tests by a simulation. All of them may be used by
 * several threads at once unless a type says otherwise, and none of them throws for something that the world did: the answer is an
 * {@link dev.mooring.storage.spi.Outcome}.
 */
@NullMarked
package dev.mooring.storage.spi.host;

import org.jspecify.annotations.NullMarked;
