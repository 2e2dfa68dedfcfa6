// SPDX-License-Identifier: Apache-2.0
/**
 * The plugin {@code kubernetes.io/nfs} (semantics/plugins §2): {@link dev.mooring.plugin.nfs.NfsPlugin} is the entry. {@link
 * dev.mooring.plugin.nfs.ExportMount} is the one place that mounts, {@link dev.mooring.plugin.nfs.Unpublisher} the one that takes a
 * mount away; both believe nothing but the mount table.
 */
@NullMarked
package dev.mooring.plugin.nfs;

import org.jspecify.annotations.NullMarked;
