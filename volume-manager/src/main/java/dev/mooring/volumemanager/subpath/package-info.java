// SPDX-License-Identifier: Apache-2.0
/** Parts of volumes shown to containers (semantics/attach-and-mount §3.15). */
@NullMarked
package dev.mooring.volumemanager.subpath;

import org.jspecify.annotations.NullMarked;
