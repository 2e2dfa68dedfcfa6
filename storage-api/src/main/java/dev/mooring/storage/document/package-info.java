// SPDX-License-Identifier: Apache-2.0
/** Kubernetes objects as plain documents: what stores keep whole, so that nothing that the model does not know is lost. */
@NullMarked
package dev.mooring.storage.document;

import org.jspecify.annotations.NullMarked;
