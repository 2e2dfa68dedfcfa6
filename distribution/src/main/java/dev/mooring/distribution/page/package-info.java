// SPDX-License-Identifier: Apache-2.0
/** The web page: volumes, claims, attachments and mounts as they are now, and why a claim is as it is. Nothing can be changed by it. */
@NullMarked
package dev.mooring.distribution.page;

import org.jspecify.annotations.NullMarked;
