// SPDX-License-Identifier: Apache-2.0
/**
 * Random stories of users that are played on two real API servers, one with kube-controller-manager and one with Mooring's controllers.
 * After each step what the two show is compared, once both are at rest.
 */
@NullMarked
package dev.mooring.distribution.controller.story;

import org.jspecify.annotations.NullMarked;
