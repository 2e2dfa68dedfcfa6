// SPDX-License-Identifier: Apache-2.0
/** Exports of NFS servers as volumes. */
@NullMarked
package dev.mooring.plugin.nfs;

import org.jspecify.annotations.NullMarked;
