// SPDX-License-Identifier: Apache-2.0
/** What a pod says of itself, as Kubernetes shows it to the pod's containers (semantics/plugins §1.9). Pure. */
@NullMarked
package dev.mooring.volumemanager.downward;

import org.jspecify.annotations.NullMarked;
