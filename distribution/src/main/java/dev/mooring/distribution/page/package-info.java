// SPDX-License-Identifier: Apache-2.0
/**
 * The web page: volumes, claims, attachments and mounts as they are now, and why a claim is as it is. Users who may act do so by it, after
 * they were shown what an act does.
 */
@NullMarked
package dev.mooring.distribution.page;

import org.jspecify.annotations.NullMarked;
