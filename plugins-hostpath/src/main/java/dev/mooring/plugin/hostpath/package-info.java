// SPDX-License-Identifier: Apache-2.0
/**
 * The plugin {@code kubernetes.io/host-path} (semantics/plugins §4): {@link dev.mooring.plugin.hostpath.HostPathPlugin} is the
 * entry, one class each carries out publishing, provisioning, deleting and recycling. What it made itself it proves by a {@link
 * dev.mooring.plugin.hostpath.HostPathLedger}; what it did not make it never deletes.
 */
@NullMarked
package dev.mooring.plugin.hostpath;

import org.jspecify.annotations.NullMarked;
