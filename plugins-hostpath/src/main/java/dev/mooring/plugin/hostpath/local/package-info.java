// SPDX-License-Identifier: Apache-2.0
/**
 * The plugin {@code kubernetes.io/local-volume} (semantics/plugins §5): {@link dev.mooring.plugin.hostpath.local.LocalPlugin} is the
 * entry. A disk is known by what it is ({@link dev.mooring.plugin.hostpath.local.DiskIdentity}), never by its path alone, and a
 * {@link dev.mooring.plugin.hostpath.local.DiskLedger} on the node says whose data is on it until it has been cleaned.
 */
@NullMarked
package dev.mooring.plugin.hostpath.local;

import org.jspecify.annotations.NullMarked;
