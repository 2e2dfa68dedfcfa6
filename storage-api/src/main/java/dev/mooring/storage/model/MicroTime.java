// SPDX-License-Identifier: Apache-2.0
package dev.mooring.storage.model;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** This time is written with six digits behind the second, also if they are zeros: the API reads it in no other form. */
@Target(ElementType.RECORD_COMPONENT)
@Retention(RetentionPolicy.RUNTIME)
@interface MicroTime {}
