// SPDX-License-Identifier: Apache-2.0
/** Directories and memory file systems that the host itself makes for a pod: emptyDir, and the places of content (semantics/plugins §1.9). */
@NullMarked
package dev.mooring.volumemanager.directory;

import org.jspecify.annotations.NullMarked;
