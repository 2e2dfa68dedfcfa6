// SPDX-License-Identifier: Apache-2.0
/** Reading of documents, shared by the rules; not exported. */
@NullMarked
package dev.mooring.clusterstore.fields;

import org.jspecify.annotations.NullMarked;
